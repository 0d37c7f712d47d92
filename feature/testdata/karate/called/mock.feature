@ignore
Feature: what mocks.feature asks

  Background:
    * configure cors = true
    * def counter = { n: 0 }

  Scenario: pathMatches('/headers')
    * def response = requestHeaders

  Scenario: pathMatches('/fails') && requestHeaders.nothing[0] == 'x'
    * def response = 'not reached'

  Scenario: pathMatches('/truthy') && requestParams.p
    * def response = 'not reached'

  Scenario: pathMatches('/about/{id}') || pathMatches('/about/{id}/')
    * def response = { path: '#(requestPath)', uri: '#(requestUri)', method: '#(requestMethod)', id: '#(pathParams.id)', first: '#(paramValue("q"))', none: '#(paramValue("z") == null)' }

  Scenario: pathMatches('/parts')
    * def response = { params: '#(requestParams)', parts: '#(requestParts)' }

  Scenario: pathMatches('/number')
    * def response = 5

  Scenario: pathMatches('/typed')
    * def responseHeaders = { 'Content-Type': '#(paramValue("type"))' }
    * def response = '<a/>'

  Scenario: pathMatches('/json-as-text')
    * def responseHeaders = { 'Content-Type': 'text/plain' }
    * def response = '{ "a": 1 }'

  Scenario: pathMatches('/echo')
    * def responseHeaders = { 'Content-Type': '#(requestHeaders["content-type"][0])' }
    * def response = request

  Scenario: pathMatches('/count')
    * counter.n = counter.n + 1
    * def response = counter
