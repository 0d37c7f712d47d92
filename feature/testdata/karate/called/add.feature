@ignore
Feature: adds

  Scenario: add
    * def sum = a + b
    * def arg = __arg
    * def loop = __loop
