import t from 'tap'
import { pageModules } from '../../../helpers/page-module.js'

/** As much of an element as a row needs. */
class Element {
  children: Element[] = []
  readonly dataset: Record<string, string> = {}
  readonly classList = { contains: (name: string) => this.className.split(' ').includes(name) }
  constructor (readonly name = '', readonly textContent = '', readonly className = '') {}
  append (...added: Element[]) { this.children.push(...added) }
  replaceChildren (...added: Element[]) { this.children = added }
  addEventListener () {}
}

t.test('the clip of an alert is offered once it is ready, and an unchanged row stays', async t => {
  const { createRows } = await pageModules(['alertlog/page/rows.js'], {
    packages: {
      shell: {
        t: String,
        alertDetail: () => '',
        alertTitle: () => '',
        dateTime: String,
        element: (name: string, text = '', style = '') => new Element(name, text, style),
        icon: () => new Element()
      }
    }
  })
  const list = new Element()
  const clips = new Map<string, string>()
  const clipOf = ({ id }: { id: string }) => clips.get(id)
  const rows = createRows(list, { clipOf, acknowledge: async () => {}, failed () {} })
  const textIn = ({ textContent, children }: Element): string => [textContent, ...children.map(textIn)].join(' ')
  const show = () => {
    rows.show([{ id: '1', printer: 'x1c', tone: 'bad', at: '2026-11-30T10:00:00Z', acknowledged_at: null, acknowledged_by: null }])
    return list.children[0]
  }
  const first = show()
  t.notMatch(textIn(list), /alerts\.clip/)
  t.equal(show(), first, 'a clip in it would keep playing')
  clips.set('1', 'recording')
  const second = show()
  t.match(textIn(list), /alerts\.clip/)
  t.equal(show(), second)
})
