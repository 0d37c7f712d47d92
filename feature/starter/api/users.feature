Feature: an API

  # users.mock.feature stands in for the real thing; use `* url site` for yours
  Background:
    * def users = karate.start('users.mock.feature')
    * url 'http://localhost:' + users.port

  Scenario: a user is made and found
    Given path 'users'
    And request { name: 'Ada' }
    When method post
    Then status 201
    And match response == { id: '#number', name: 'Ada' }

    Given path 'users', response.id
    When method get
    Then status 200
    And match response.name == 'Ada'
