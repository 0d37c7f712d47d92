@ignore
Feature: starts the mock of mocks.feature

  Scenario:
    * def port = karate.start('called/mock.feature').port
