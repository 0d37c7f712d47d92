@ignore
Feature: deep
Scenario:
* def next = n > 0 ? karate.call('deep.feature', { n: n - 1 }) : karate.call('isolated.feature')
* def title = next.title
* driver site + '/grid.html'
* match driver.title == 'Grid'
