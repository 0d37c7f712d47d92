// deep tells what an object has in it, within limits. It runs in the page, at first
// under the side-effect check of the browser: where it would call code of the page
// that changes anything, it is stopped, and what the preview told is all there is.
// Under that check, variables outside of a function cannot be written to, and the
// stacks of errors and the text of regular expressions cannot be read. If there are
// any, the answer says so (again), and the function is called once more without the
// check; by then it is known to change nothing.
//
// A node is {t, v, p, n, m}: its type, its text or class, its properties as
// [key, node] pairs, its length, and whether there is more than that. Types: s
// string, p anything written as its text, o object, a array, m map, t set, e
// error, h hole, x left out.
function deep(checked, depth, nodes, width, chars) {
  const O = Object
  const own = O.getOwnPropertyDescriptor
  const brand = (C, name) => {
    const d = C && own(C.prototype, name)
    return d && (d.get || d.value)
  }
  const mapSize = brand(Map, 'size')
  const setSize = brand(Set, 'size')
  const getTime = brand(Date, 'getTime')
  const bytes = brand(ArrayBuffer, 'byteLength')
  const nodeType = typeof Node === 'function' && brand(Node, 'nodeType')
  const href = brand(URL, 'href')
  const is = (test, v) => {
    try {
      return Boolean(test) && test.call(v) !== undefined
    } catch {
      return false
    }
  }
  const state = { left: nodes, room: chars, again: false }
  const path = []

  const text = (t, s) => {
    const room = state.room
    const some = room < s.length ? s.slice(0, room < 0 ? 0 : room) : s
    state.room = room - some.length
    return some.length < s.length ? { t, v: some, m: true } : { t, v: some }
  }
  const className = (v) => {
    const proto = O.getPrototypeOf(v)
    const made = proto && own(proto, 'constructor')
    const name = made && typeof made.value === 'function' && own(made.value, 'name')
    return name && typeof name.value === 'string' ? name.value : proto ? 'Object' : ''
  }
  const element = (v) => {
    let name = brand(Node, 'nodeName').call(v)
    if (nodeType.call(v) !== 1) return name
    name = name.toLowerCase()
    const id = brand(Element, 'id').call(v)
    const classes = brand(Element, 'className').call(v)
    if (id) name += '#' + id
    if (typeof classes === 'string' && classes.trim()) name += '.' + classes.trim().split(/\s+/).join('.')
    return '<' + name + '>'
  }

  const walk = (v, level) => {
    if (state.left <= 0) return { t: 'x' }
    state.left = state.left - 1
    switch (typeof v) {
      case 'string':
        return text('s', v)
      case 'bigint':
        return { t: 'p', v: String(v) + 'n' }
      case 'function':
        return { t: 'f', v: Function.prototype.toString.call(v).slice(0, 400) }
      case 'object':
        if (v !== null) break
      // falls through
      default:
        return { t: 'p', v: O.is(v, -0) ? '-0' : String(v) }
    }
    for (let i = 0; i < path.length; i++) if (path[i] === v) return { t: 'p', v: '[Circular]' }
    if (is(nodeType, v)) return { t: 'p', v: element(v) }
    if (is(getTime, v)) return { t: 'p', v: Date.prototype.toString.call(v) }
    if (v instanceof RegExp) {
      if (!checked) return text('p', RegExp.prototype.toString.call(v))
      state.again = true
      return { t: 'p', v: 'RegExp' }
    }
    if (is(href, v)) return { t: 'p', v: 'URL ' + href.call(v) }
    if (v === globalThis) return { t: 'o', v: 'Window', m: true }
    path[path.length] = v
    let node
    try {
      node = inside(v, level)
    } catch {
      node = { t: 'o', v: '', m: true } // the window of another origin, a proxy that was revoked
    }
    path.length = level
    return node
  }

  const inside = (v, level) => {
    const node = { t: 'o', v: className(v), p: [] }
    const add = (key, x) => {
      node.p[node.p.length] = [key, walk(x, level + 1)]
    }
    if (is(bytes, v)) return { t: 'p', v: node.v + '(' + bytes.call(v) + ')' }
    const array = Array.isArray(v)
    const stop = level >= depth
    if (array || ArrayBuffer.isView(v) && typeof v.length === 'number') {
      node.t = 'a'
      node.n = v.length
      node.m = stop ? v.length > 0 : v.length > width
      for (let i = 0; !stop && i < v.length && i < width; i++) {
        const d = own(v, i)
        if (!d) node.p[node.p.length] = ['', { t: 'h' }]
        else if (d.get || d.set) node.p[node.p.length] = ['', { t: 'p', v: '[Getter]' }]
        else add('', d.value)
      }
      return node
    }
    const map = is(mapSize, v)
    if (map || is(setSize, v)) {
      node.t = map ? 'm' : 't'
      node.n = (map ? mapSize : setSize).call(v)
      node.m = stop ? node.n > 0 : node.n > width
      if (stop) return node
      let i = 0
      for (const x of (map ? Map.prototype.entries : Set.prototype.values).call(v)) {
        if (i++ >= width) break
        if (map) node.p[node.p.length] = [walk(x[0], level + 1), walk(x[1], level + 1)]
        else add('', x)
      }
      return node
    }
    const keys = Reflect.ownKeys(v)
    const error = v instanceof Error
    if (error) {
      state.again = checked
      const stack = checked ? '' : v.stack
      const told = text('e', typeof stack === 'string' && stack ? stack : v.name + ': ' + v.message)
      node.t = 'e'
      node.v = told.v
      node.m = told.m
    }
    let shown = 0
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i]
      const d = own(v, key)
      if (!d) continue
      if (error ? key === 'stack' || key === 'message' || key === 'name' || !(d.enumerable || key === 'cause' || key === 'errors') : !d.enumerable) continue
      if (stop || shown++ >= width) {
        node.m = true
        break
      }
      const name = typeof key === 'symbol' ? String(key) : key
      if (d.get || d.set) node.p[node.p.length] = [name, { t: 'p', v: d.get ? (d.set ? '[Getter/Setter]' : '[Getter]') : '[Setter]' }]
      else add(name, d.value)
    }
    return node
  }
  return { node: walk(this, 0), again: state.again }
}
