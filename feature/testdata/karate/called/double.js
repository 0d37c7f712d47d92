function fn(x) { return x * 2; }
