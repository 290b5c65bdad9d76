import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { defaultDataDir, readConfig } from '../../../../core/index.js'
import { modelFolder, runtimeFolder, RUNTIMES } from '../../../../plugins/health-model/index.js'
import { PYTHON, run } from './run-program.js'

const execute = promisify(execFile)

/** Modules of Python and the packages of Debian that have them. */
const PACKAGES: Readonly<Record<string, string>> = {
  torch: 'python3-torch', cv2: 'python3-opencv', sklearn: 'python3-sklearn', onnx: 'python3-onnx'
}
const RUNTIME = RUNTIMES[0]

/** @throws with what to install, when a module of Python is missing */
export async function checkPython (): Promise<void> {
  const missing = (await Promise.all(Object.entries(PACKAGES).map(async ([module, name]) =>
    await execute(PYTHON, ['-c', `import ${module}`]).then(() => [], () => [name])))).flat()
  if (missing.length > 0) throw new Error(`${PYTHON} lacks modules. Install them: apt-get install ${missing.join(' ')}`)
}

const hasRuntime = (folder: string) => existsSync(join(folder, 'node_modules', RUNTIME.name, 'package.json'))

/** Folder of the native runtime: that of the service, or else one that is installed into the given folder. */
export async function provideRuntime (own: string): Promise<string> {
  const { config } = await readConfig()
  const ofService = runtimeFolder(modelFolder(config.dataDir ?? defaultDataDir()))
  if (hasRuntime(ofService)) return ofService
  if (hasRuntime(own)) return own
  await mkdir(own, { recursive: true })
  await writeFile(join(own, 'package.json'), '{ "private": true }\n')
  await run('npm', ['install', '--prefix', own, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error',
    `${RUNTIME.name}@${RUNTIME.version}`])
  return own
}
