Feature: a page

  # serves the page itself, so that this runs with nothing set up
  Background:
    * def page = karate.start('page.mock.feature')
    * def home = 'http://localhost:' + page.port

  Scenario: a form greets
    * driver home
    * input('#name', 'Ada')
    * click('button')
    * waitForText('#greeting', 'Hello Ada')
    * match text('#greeting') == 'Hello Ada'
