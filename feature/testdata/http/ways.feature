Feature: ways to a server, and what it asks for first

Background:
* url secure

Scenario: ssl: true takes any certificate
* configure ssl = true
* path 'who'
* method get
* match response contains { certificates: 0, proto: 'HTTP/2.0' }

Scenario Outline: trust store: <store>
* configure ssl = { trustStore: '#(stores + store)', trustStorePassword: '#(password)', trustAll: false }
* path 'who'
* method get
* match response contains { certificates: 0 }
Examples:
| store      | password |
| /trust.pem |          |
| /trust.p12 | pw       |

Scenario Outline: client certificate: <store>
* url mutual
* configure ssl = { keyStore: '#(stores + store)', keyStorePassword: '#(password)', trustStore: '#(stores + "/trust.pem")' }
* path 'who'
* method get
* match response contains { certificates: 1 }
Examples:
| store       | password |
| /client.pem |          |
| /client.p12 | pw       |

Scenario: digest
* url base
* configure auth = { type: 'digest', username: 'ann', password: 'secret' }
* path 'digest'
* request { a: 1 }
* method post
* status 200
* match response == { user: 'ann', body: '{"a":1}' }

Scenario: OAuth2 by client credentials: one token for all requests
* url base
* configure auth = ({ type: 'oauth2', accessTokenUrl: base + '/token', clientId: 'client', clientSecret: 'hush' })
* path 'token/used'
* method get
* path 'token/used'
* method get
* match response == { token: 'Bearer token-1', given: 1 }

Scenario: a proxy that wants to know who asks
* url 'http://app.example'
* configure proxy = { uri: '#(proxy)', username: 'ann', password: 'pw' }
* path 'x'
* method get
* match response == { proxied: 'http://app.example/x', for: 'Basic YW5uOnB3' }

Scenario: a proxy is passed by for what it is not for
* url base
* configure proxy = { uri: '#(proxy)', nonProxyHosts: ['127.0.0.1'] }
* path 'who'
* method get
* match response contains { host: '#(base.substring(7))' }

Scenario: a socket file
* url socket
* path 'who'
* method get
* match response contains { host: 'localhost', path: '/who' }

Scenario: an address of this machine to ask from
* url base
* configure localAddress = '127.0.0.1'
* path 'who'
* method get
* match response.remote == '#regex 127\\.0\\.0\\.1:.+'

Scenario Outline: <how> is decoded
* url base
* path 'compressed', how
* method get
* match response == { compressed: '#(how)' }
* match responseHeaders['Content-Encoding'] == '#notpresent'
Examples:
| how     |
| gzip    |
| deflate |
| br      |

Scenario Outline: <charset> is read as that
* url base
* path 'text', charset
* method get
* match response == text
Examples:
| charset      | text     |
| utf-8        | grüße €  |
| iso-8859-1   | grüße    |
| windows-1252 | grüße €  |
| utf-16le     | grüße €  |
| shift_jis    | 日本語   |

Scenario: a redirect to another scheme is told
* url base
* configure ssl = true
* path 'up'
* method get
* status 200
* match response.proto == 'HTTP/2.0'

Scenario: fails: not trusted
* configure ssl = { trustStore: '#(stores + "/other.pem")' }
* path 'who'
* method get

Scenario: fails: no client certificate
* url mutual
* configure ssl = true
* path 'who'
* method get

Scenario: fails: wrong password of a store
* configure ssl = { keyStore: '#(stores + "/client.p12")', keyStorePassword: 'nope' }

Scenario: fails: the proxy turns away
* url 'http://app.example'
* configure proxy = { uri: '#(proxy)', username: 'ann', password: 'wrong' }
* path 'x'
* method get
* status 200

Scenario: fails: nobody is behind the socket file
* url 'http+unix://%2Fnowhere.sock'
* path 'x'
* method get

Scenario: fails: an address of another machine
* url base
* configure localAddress = '192.0.2.1'
* path 'who'
* method get

Scenario: fails: a scheme that cannot be asked
* url base
* path 'away'
* method get

Scenario: fails: wrong digest password
* url base
* configure auth = { type: 'digest', username: 'ann', password: 'wrong' }
* path 'digest'
* method get
* status 200
