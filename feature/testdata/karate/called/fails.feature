@ignore
Feature: fails

  Scenario:
    * def a = 1
    * match a == 2
