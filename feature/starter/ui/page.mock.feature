@ignore
Feature: serves one page

  Scenario: methodIs('get')
    * def responseHeaders = { 'Content-Type': 'text/html' }
    * text html =
      """
      <!doctype html><title>Start</title>
      <input id="name"><button onclick="greeting.textContent = 'Hello ' + document.getElementById('name').value">Greet</button>
      <p id="greeting"></p>
      """
    * def response = html
