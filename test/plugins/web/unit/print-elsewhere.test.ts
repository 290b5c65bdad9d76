import t from 'tap'
import { pageModules } from '../../../helpers/page-module.js'
import { components, createHooks } from '../../../helpers/shown-in.js'

const printer = (name: string, condition = 'idle') => ({ name, condition, model: 'X1C', problem: null, needs_person: false, job: null })

t.test('of many printers four are offered, and none moves with its state', async t => {
  const hooks = createHooks()
  const { Elsewhere } = await pageModules(['web/page/print-elsewhere.js'], {
    packages: {
      components,
      'preact/hooks': hooks,
      shell: { t: (key: string, { printer = '', count = '' } = {}) => key + printer + count, shell: { conditions: new Proxy({}, { get: () => ({ tone: '' }) }) } }
    },
    files: {
      'web/page/lib.js': "export { html } from 'components'; export { useEffect, useRef, useState } from 'preact/hooks'",
      'web/page/api.js': 'export const call = () => {}; export const has = () => false'
    }
  })
  const many = (states: Readonly<Record<number, string>>) => Array.from({ length: 30 }, (_, at) => printer(`p${at}`, states[at]))
  const shown = (others: readonly object[]) => hooks.draw(Elsewhere, { others, models: ['X1C'], chosen: '' })
  const names = (others: readonly object[]) => shown(others).filter(({ name }) => name === 'label').map(({ text }) => /there(p\d+)/.exec(text)?.[1])
  const first = names(many({ 0: 'printing', 3: 'printing' }))
  t.same(first.slice(0, 5), ['p1', 'p2', 'p4', 'p5', 'p6'], 'those that can print come first')
  t.same(first.slice(-2), ['p0', 'p3'])
  t.same(names(many({ 1: 'printing' })), first, 'the order is that of the opening')
  t.same(names([...many({}).slice(1), printer('a')]), [...first.filter(name => name !== 'p0'), undefined], 'another one comes last')

  const all = shown(many({}))
  t.equal(all.find(({ name }) => name === 'summary')?.text, 'printer.print.others26')
  const prevented: boolean[] = []
  const search = all.find(({ props: { type } }) => type === 'search')
  search?.props.onKeyDown({ key: 'Enter', preventDefault: () => prevented.push(true) })
  t.same(prevented, [true], 'Enter in the search does not print')
  search?.props.onInput({ currentTarget: { value: 'P27' } })
  const found = shown(many({})).filter(({ name, props: { hidden } }) => name === 'label' && hidden !== true)
  t.equal(found.length, 5, 'four, and the one that was searched')
  t.notOk(shown(many({}).slice(0, 5)).some(({ name }) => name === 'details'), 'a few are not folded')
})
