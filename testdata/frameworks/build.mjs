// Builds dist/ from src/: node build.mjs, after npm install.
import { build } from 'esbuild';
import { readFileSync } from 'node:fs';
import { compile } from 'svelte/compiler';

const svelte = {
  name: 'svelte',
  setup(b) {
    b.onLoad({ filter: /\.svelte$/ }, ({ path }) => ({ contents: compile(readFileSync(path, 'utf8'), { filename: path, generate: 'client' }).js.code, loader: 'js' }));
  },
};
const names = ['alpine', 'angular', 'backbone', 'knockout', 'lit', 'mithril', 'plain', 'preact', 'react', 'solid', 'svelte', 'vue'];
const sources = (n) => `src/${n}.${n.endsWith('react') || n === 'preact' ? 'jsx' : 'js'}`;
await Promise.all(names.map((n) => build({
  entryPoints: [sources(n)], outfile: `dist/${n}.js`, bundle: true, minify: true, target: 'es2022', legalComments: 'none', conditions: ['browser', 'production'],
  plugins: [svelte], define: { 'process.env.NODE_ENV': '"production"', __VUE_OPTIONS_API__: 'true', __VUE_PROD_DEVTOOLS__: 'false', __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false', ngDevMode: 'false', ngJitMode: 'true' },
  ...(n === 'preact' ? { jsxFactory: 'h' } : {}),
})));
