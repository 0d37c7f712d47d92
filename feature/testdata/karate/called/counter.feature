@ignore
Feature: how often it runs

  Scenario:
    * def Counter = karate.get('counter') || { n: 0 }
    * def token = java.util.UUID.randomUUID() + ''
    * def fn = function(x){ return x + token.length }
