@ignore
Feature: signs in

Scenario:
* url base
* path 'cookies/set'
* param session = 'ann'
* method get
* def token = responseCookies.session.value
