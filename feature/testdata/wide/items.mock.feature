@ignore
Feature: items

Background:
* def items = []

Scenario: pathMatches('/api/items') && methodIs('post')
* items.push(request)
* def response = { made: 'seven', was: '#(request)' }
* def responseStatus = 201
* def responseHeaders = { 'X-Made': 'yes' }

Scenario: pathMatches('/api/items')
* def response = { count: '#(items.length)', q: "#(paramValue('q'))" }

Scenario:
* def responseStatus = 404
