Feature: Agent Driver API

Background:
  * def agent = karate.agent({ type: 'chrome', headless: true })

Scenario: Login flow with Agent API
  * def state = agent.go(site + '/login.html')
  * match state.ok == true

  * def state = agent.look()
  * match state.tree contains 'textbox'
  * match state.actions.e1 contains 'input'

  * def result = agent.act('e1', 'input', 'test@example.com')
  * match result.ok == true

  * def result = agent.act('e2', 'input', 'password')
  * match result.ok == true

  * def result = agent.act('e3', 'click')
  * match result.ok == true

  * def state = agent.look()
  * match state.url contains 'dashboard'

Scenario: what a model wrote, with the agent alone
  * agent.go(site + '/login.html')
  * def state = agent.look()
  * print state.tree
  * def model = function(task, state){ return state.tree.includes('textbox') ? "agent.act('e1', 'input', 'test@example.com'); agent.act('e2', 'input', 'password123'); agent.act('e3', 'click');" : 'agent.look()' }
  * agent.run(model('login with test credentials', state))
  * match agent.look().url contains 'dashboard'
  * match agent.run('typeof karate + typeof read + typeof driver') == 'undefinedundefinedundefined'

Scenario: failures are answers
  * agent.go(site + '/login.html')
  * def result = agent.act('e99', 'click')
  * match result.ok == false
  * match result.error == '#string'
  * match result.code == '#string'
  * match agent.eval('1 + 1').result == 2
  * match agent.wait('text:Login').ok == true
  * def all = agent.batch([{ ref: '{input}Email', op: 'input', value: 'x@y.z' }, { ref: '{button}Sign In', op: 'click' }])
  * match all.ok == true
  * match agent.driver.title == 'Dashboard'
