@ignore
Feature:
Scenario:
* driver site + '/' + page + '.html'
* def title = driver.title
