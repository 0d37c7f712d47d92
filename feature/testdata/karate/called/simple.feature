@ignore
Feature: called with arguments

  Scenario:
    * def result = 'got ' + name
    * def inner = 5
