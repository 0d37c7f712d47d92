@ignore
Feature:
Scenario:
* def twice = function(x){ return x * 2 }
* def greet2 = function(x){ return greet(x) }
