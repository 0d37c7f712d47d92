@ignore
Feature: users in memory

  Background:
    * def users = {}
    * def next = 1

  Scenario: pathMatches('/users') && methodIs('post')
    * def user = request
    * user.id = next
    * users[next + ''] = user
    * next = next + 1
    * def responseStatus = 201
    * def response = user

  Scenario: pathMatches('/users/{id}') && methodIs('get')
    * def response = users[pathParams.id]
    * def responseStatus = response ? 200 : 404

  Scenario:
    * def responseStatus = 404
