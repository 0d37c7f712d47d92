@ignore
Feature: several scenarios

  Background:
    * def common = 'bg'

  @one
  Scenario: first
    * def value = 'one'

  @two
  Scenario: second
    * def value = 'two'

  @name=third
  Scenario: third
    * def value = 'three'
