@ignore
Feature: quit
Scenario:
* driver.quit()
