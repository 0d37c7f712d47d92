@ignore
Feature:
Scenario:
* def whole = __arg
* def inner = b.c
