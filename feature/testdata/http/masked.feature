Feature: secrets stay out of reports

Scenario: headers, cookies, bodies, addresses
* configure logging = { mask: { headers: ['X-Key'], jsonPaths: ['$.password'], patterns: [{ regex: 'geheim\\d' }] } }
* url base.replace('://', '://ann:geheim@')
* path 'status/200'
* param token = 'geheim5'
* header Authorization = 'Bearer geheim'
* header X-Key = 'geheim'
* cookie c = 'geheim'
* request { password: 'geheim', note: 'geheim7' }
* method post
* status 200
