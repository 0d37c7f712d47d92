@ignore
Feature: starts the server of mocks-demos.feature

  Scenario:
    * def port = karate.start('called/demo-mock.feature').port
