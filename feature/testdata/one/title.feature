@ignore
Feature: title
Scenario:
* def t = driver.title
