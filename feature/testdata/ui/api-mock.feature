@ignore
Feature: plays the api

Background:
* def count = 0

Scenario: pathMatches('/api/{what}')
* def response = { from: 'mock' }
