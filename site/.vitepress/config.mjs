// The site has the documents of the repository as they are: their order is that of the table of guides.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { defineConfig } from 'vitepress'

const ROOT = resolve(import.meta.dirname, '..', '..')
const read = path => readFileSync(join(ROOT, path), 'utf8')
const repository = JSON.parse(read('package.json')).repository.url.replace(/^git\+|\.git$/g, '')
const titleOf = path => /^# (.+)$/m.exec(read(path))?.[1] ?? path
const linkTo = path => `/${path.replace(/\.md$/, '')}`

/** One group for each reader of the table of guides. */
function guides () {
  const groups = []
  for (const [, reader, text, path] of read('docs/guides/README.md').matchAll(/^\| ([^|]*)\| \[([^\]]+)\]\(([^)]+)\)/gm)) {
    if (reader.trim() !== '') groups.push({ text: reader.trim(), items: [] })
    groups.at(-1)?.items.push({ text, link: linkTo(relative(ROOT, resolve(ROOT, 'docs', 'guides', path))) })
  }
  return groups
}

const pagesIn = folder => readdirSync(join(ROOT, folder)).filter(name => /^(?!README).+\.md$/.test(name)).sort()
  .map(name => ({ text: titleOf(`${folder}/${name}`), link: linkTo(`${folder}/${name}`) }))

const isPage = path => /^(docs\/(?!deploy\/).+|[^/]+)\.md$/.test(path)

/** Braces in a sentence are no template of Vue, and links to files that are no pages lead to the repository. */
function adaptMarkdown (markdown) {
  for (const kind of ['text', 'code_inline']) {
    const own = markdown.renderer.rules[kind]
    markdown.renderer.rules[kind] = (...parts) => own(...parts).replaceAll('{{', '&#123;&#123;')
  }
  const own = markdown.renderer.rules.link_open
  markdown.renderer.rules.link_open = (tokens, index, options, env, self) => {
    const token = tokens[index]
    const target = token.attrGet('href') ?? ''
    const [path] = decodeURIComponent(target).split('#')
    const file = relative(ROOT, resolve(dirname(join(ROOT, env.relativePath)), path))
    const isFile = path !== '' && !/^[a-z]+:|^\//i.test(target) && !file.startsWith('..') && existsSync(join(ROOT, file))
    if (!isFile || isPage(file)) return own(tokens, index, options, env, self)
    token.attrSet('href', `${repository}/blob/main/${file}`)
    return self.renderToken(tokens, index, options)
  }
}

export default defineConfig({
  title: 'prnd',
  description: 'Monitors and controls Bambu Lab 3D printers on a local network',
  srcDir: ROOT,
  srcExclude: ['**/node_modules/**', 'build/**', 'dist/**', 'test/**', 'plugins/**', '.*/**', 'site/**', 'docs/deploy/**'],
  rewrites: {
    'README.md': 'index.md', 'docs/guides/README.md': 'docs/guides/index.md', 'docs/decisions/README.md': 'docs/decisions/index.md'
  },
  outDir: join(import.meta.dirname, '..', 'dist'),
  cacheDir: join(import.meta.dirname, '..', 'node_modules', '.cache'),
  cleanUrls: true,
  // An address of the reader's own service.
  ignoreDeadLinks: [/^http:\/\/localhost/],
  // The documents are Markdown, not templates of Vue.
  markdown: { html: false, attrs: { disable: true }, config: adaptMarkdown },
  // The documents lie above the folder where its packages are.
  vite: {
    resolve: { alias: [{ find: /^vue(?=$|\/)/, replacement: join(import.meta.dirname, '..', 'node_modules', 'vue') }] },
    build: { chunkSizeWarningLimit: 4_000 }
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    socialLinks: [{ icon: 'git', link: repository, ariaLabel: 'Repository' }],
    nav: [
      { text: 'Guides', link: '/docs/guides/' },
      { text: 'Reference', link: '/docs/reference/http' },
      { text: 'Changes', link: '/CHANGELOG' }
    ],
    sidebar: [
      ...guides(),
      { text: 'Reference', collapsed: true, items: pagesIn('docs/reference') },
      { text: 'Decisions', collapsed: true, items: pagesIn('docs/decisions') }
    ]
  }
})
