import t from 'tap'
import { fillPage, findPageFiles, readPageFile } from '../../../core/util/page-files.js'

t.test('places of a document are filled: texts escaped, markup as it is', async t => {
  const html = '<p title="{{name}}">{{name}}{{list}}{{gone}}</p>'
  t.equal(fillPage(html, { name: '<a href="x">\'&$1' }, { list: '<i></i>' }),
    '<p title="&lt;a href=&quot;x&quot;&gt;&#39;&amp;$1">&lt;a href=&quot;x&quot;&gt;&#39;&amp;$1<i></i></p>')
})

t.test('a page has scripts and style sheets, and a mark that follows what they hold', async t => {
  const camera = findPageFiles('camera')
  t.ok(camera.paths.has('live.js'))
  t.ok(camera.paths.has('live.css'))
  t.notOk(camera.paths.has('live.html'), 'documents are filled, not served')
  t.match(camera.mark, /^[0-9a-f]{16}$/)
  t.equal(findPageFiles('camera').mark, camera.mark)
  t.not(findPageFiles('camera', [String(findPageFiles('charts').paths.get('dashboard.js'))]).mark, camera.mark)
  t.match(readPageFile('camera', 'live.html'), '{{printer}}')
})

t.test('without its files a page says what to do', async t => {
  t.throws(() => findPageFiles('nothing'), { message: 'the files of the nothing page are missing; build or install again' })
})
