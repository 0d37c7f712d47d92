karate.configure('followRedirects', false);
karate.configure('matchEachEmptyAllowed', true);

// call makes a request with the cookies of a session and holds its status.
function call(jar, want, method, url, fill, until) {
  for (var i = 0; ; i++) {
    var request = karate.http(url);
    if (Object.keys(jar).length > 0) request.cookies(jar);
    var body = fill ? fill(request) : null;
    var answer = body === undefined || body === null ? request.invoke(method) : request.invoke(method, body);
    for (var name in answer.cookies) jar[name] = answer.cookies[name].value;
    if (!until || until(answer) || i >= 40) break;
    karate.pause(250);
  }
  if (answer.status !== want) karate.fail(method + ' ' + url + ': status is ' + answer.status + ', expected ' + want);
  return answer;
}

function same(actual, expected) {
  var result = karate.match(actual, expected);
  if (!result.pass) karate.fail(result.message);
}

function ok(what, holds) {
  if (!holds) karate.fail(what);
}

function has(list, want) {
  return list.some(function (one) { return Object.keys(want).every(function (key) { return one[key] === want[key]; }); });
}

function text(answer) {
  return karate.toString(answer.body);
}
