@ignore
Feature: an outline that is called

  Scenario Outline:
    * def last = '<v>'

    Examples:
      | v |
      | a |
      | b |
