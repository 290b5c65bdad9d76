import t from 'tap'
import { pageModules } from '../../../helpers/page-module.js'

t.test('a place of some printers does not become one of all printers', async t => {
  const { ruleIn } = await pageModules(['notify/page/rule.js'], {
    packages: { shell: { t: String, shell: {} }, components: { html: () => '', Icon: () => '' } }
  })
  const formOf = (...fields: readonly (readonly [string, string])[]) => {
    const form = new FormData()
    for (const [name, value] of fields) form.append(name, value)
    return form
  }
  t.match(ruleIn(formOf(['printers', 'x1c'])), { printers: ['x1c'] })
  t.match(ruleIn(formOf(['all_printers', 'on'])), { printers: null })
  t.throws(() => ruleIn(formOf(['nights', 'wait'])), { message: 'messages.printers.none' })
})
