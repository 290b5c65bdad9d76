// Loads the bundle, with what the engine has compiled of it in an earlier process.
const { existsSync, readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { Script } = require('node:vm')

const filename = join(__dirname, 'bundle.cjs')
const compiled = join(__dirname, 'bundle.compiled')
const text = readFileSync(filename, 'latin1') // it is ASCII
const script = new Script(`(function (exports, require, module, importOutside) {${text}\n})`, {
  filename,
  ...(existsSync(compiled) && { cachedData: readFileSync(compiled) })
})
const loaded = { exports: {} }
script.runInThisContext()(loaded.exports, require, loaded, specifier => import(specifier))

exports.load = loaded.exports.load
exports.keepCompiled = () => writeFileSync(compiled, script.createCachedData())
