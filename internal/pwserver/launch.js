// Runs a Playwright server that ends with whoever started it: the other end of the third
// file closes, however that ended.
const [cli, ...args] = process.argv.slice(1);
const end = () => process.exit(0);
new (require("net").Socket)({ fd: 3, readable: true, writable: false }).on("close", end).on("error", end).resume();
process.argv = [process.execPath, cli, ...args];
require(cli);
