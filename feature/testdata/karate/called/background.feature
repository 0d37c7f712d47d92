@ignore
Feature: with a background

  Background:
    * def fromBackground = 'bg ' + (karate.get('name') || 'none')

  Scenario:
    * def both = fromBackground + '!'
