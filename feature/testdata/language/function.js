function fn(x) {
  // a file with a function
  return { doubled: x * 2 };
}
