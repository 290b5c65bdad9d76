import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Packages that pages may import, by name: the file beside the package's entry. */
const PACKAGES: Readonly<Record<string, string>> = {
  preact: 'preact.module.js',
  'preact/hooks': 'hooks.module.js',
  htm: 'htm.module.js'
}
const SHELL_MODULES: Readonly<Record<string, string>> = { shell: 'shell.js', ...PACKAGES }
/**
 * Modules that need no browser: pages of this package import them by their path in the sources, so that Node.js can
 * load them too.
 */
const SHARED_MODULES = ['format.js', 'mapping.js'].map(file => [`shell/page/${file}`, file] as const)

/** Paths of the packages' files. */
export const packageFiles = (): string[] => {
  const { resolve } = createRequire(import.meta.url)
  return Object.entries(PACKAGES).map(([name, file]) => join(dirname(resolve(name)), file))
}

/**
 * The import map of a page.
 * @param base path from the page to the root @param folder of the shell @param imports addresses of the page's modules
 */
export function importMapOf (base: string, folder: string, imports: Readonly<Record<string, string>>): string {
  const all = {
    ...Object.fromEntries(Object.entries(SHELL_MODULES).map(([name, file]) => [name, `${folder}/${file}`])),
    ...imports
  }
  return JSON.stringify({
    imports: Object.fromEntries([
      ...Object.entries(all).map(([name, file]) => [name, `./${base}${file}`]),
      // a page's script is served two folders deep, so its ../../shell/page resolves to a path below the base
      ...SHARED_MODULES.map(([place, file]) => [`./${base}${place}`, `./${base}${folder}/${file}`])
    ])
  })
}
