@ignore
Feature:
Scenario:
* def counted = 'id-' + Math.random()
* def helper = function(x){ return x * 2 }
