@ignore
Feature: changes what its caller has

  Scenario:
    * def fresh = 'made below'
    * def seen = outer
    * def outer = 'changed below'
    * outerObject.k = 'mutated'
