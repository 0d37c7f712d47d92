Feature: one clear failure each

Background:
* url base

Scenario: status
* path 'status', 404
* method get
* status 200

Scenario: no url
* url ''
* method get

Scenario: retry
* configure retry = { count: 2, interval: 1 }
* path 'echo'
* retry until false
* method get

Scenario: nobody listens
* url 'http://127.0.0.1:1'
* method get

Scenario: no such host
* url 'http://does-not-exist.invalid'
* method get

Scenario: circle
* path 'circle'
* method get

Scenario: closes
* path 'closes'
* method get

Scenario: slow
* configure readTimeout = 50
* configure connectTimeout = 5000
* path 'slow'
* param ms = 5000
* method get

Scenario: large
* configure maxResponseSize = 1000
* path 'big'
* param kb = 1000
* method get

Scenario: lying
* path 'compressed/lying'
* method get

Scenario: no file
* multipart file x = { read: 'nowhere.txt' }
* method post

Scenario: bad ssl
* configure ssl = { trustStore: 'nowhere.pem' }

Scenario: bad auth
* configure auth = { type: 'ntlm' }

Scenario: bad header
* header x y = 'z'
* method get

Scenario: https where there is none
* url base.replace('http:', 'https:')
* method get

Scenario: no socket
* def s = karate.webSocket(base + '/echo')

Scenario: no events
* def s = karate.eventSource(base + '/echo')

Scenario: no such port
* url 'http://127.0.0.1:99999'
* method get

Scenario: rare method
* url base
* method propfind
