import t from 'tap'
import { shellTexts } from '../../../plugins/shell/index.js'
import { pageModules } from '../../helpers/page-module.js'

async function refusedIn (language: 'en' | 'de') {
  const { refusalText } = await pageModules(['shell/page/shell.js'], {
    globals: {
      document: {
        getElementById: (id: string) => id === 'shell-data' ? { textContent: JSON.stringify({ language, texts: shellTexts[language] }) } : null,
        createElement: () => ({ setAttribute () {} }),
        querySelector: () => null,
        addEventListener () {},
        body: { classList: { contains: () => false } }
      }
    }
  })
  return refusalText as (body: object, otherwise: string) => string
}

t.test('why the service refuses is said in the language of the page, where it has words for that', async t => {
  const [english, german] = [await refusedIn('en'), await refusedIn('de')]
  const body = { error: 'role_too_low', reason: "'stop' needs the role operator" }
  t.equal(german(body, ''), 'Das erlaubt Ihre Rolle nicht. Ein Administrator kann sie ändern.')
  t.equal(english(body, ''), body.reason, 'the service names more')
  t.equal(german({ error: 'bad_input', reason: 'name is missing' }, ''), 'name is missing')
  t.equal(german({}, 'HTTP 500'), 'HTTP 500')
})
