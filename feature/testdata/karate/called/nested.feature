@ignore
Feature: calls another

  Scenario:
    * def first = call read('this:add.feature') { a: 1, b: 1 }
    * def second = call read('called/add.feature') { a: '#(first.sum)', b: 3 }
    * def total = second.sum
