import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { defaultDataDir, readConfig, runNpm } from '../../../core/index.js'
import { createDecoderFinder, DECODER_PACKAGE, decoderFolder, installedPackage } from '../../../plugins/camera/index.js'

interface Options { readonly config?: string }

const placesOf = async (file: string | undefined) => {
  const { config } = await readConfig(file)
  return { configured: config.ffmpeg, folder: decoderFolder(config.dataDir ?? defaultDataDir()) }
}

/** Shows the decoder of camera video on this machine. */
export async function show ({ config: file }: Options): Promise<void> {
  const finder = createDecoderFinder(await placesOf(file))
  try {
    const decoder = await finder.find()
    const encode = await decoder.findEncoder()
    console.log(`${decoder.name}${encode === undefined ? '; it cannot make videos of pictures (timelapse)' : ''}`)
  } finally {
    await finder.close()
  }
}

/** Installs the decoder package in the data folder, without running install scripts of packages. */
export async function install ({ config: file }: Options): Promise<void> {
  const { folder } = await placesOf(file)
  const { name, version } = DECODER_PACKAGE
  if (await installedPackage(folder) === version) {
    console.log(`${name} ${version} is installed in ${folder}.`)
    return
  }
  const fresh = `${folder}.new`
  await rm(fresh, { recursive: true, force: true })
  try {
    await mkdir(fresh, { recursive: true, mode: 0o700 })
    await writeFile(`${fresh}/package.json`, '{ "private": true }\n')
    console.error(`Installing ${name} ${version} into ${folder}; about 70 MB …`)
    await runNpm(['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', `${name}@${version}`], fresh,
      'npm could not install the decoder; nothing was changed')
    await rm(folder, { recursive: true, force: true })
    await rename(fresh, folder)
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
  console.log('Installed. A running service uses it from the next picture on.')
}

export async function remove ({ config: file }: Options): Promise<void> {
  const { folder } = await placesOf(file)
  const was = await installedPackage(folder)
  await rm(folder, { recursive: true, force: true })
  console.log(was === undefined ? 'No decoder package was installed.' : `${DECODER_PACKAGE.name} ${was} was removed.`)
}
