import t from 'tap'
import { MASK, createRedactor } from '../../../core/kernel/redact.js'

function masking (...secrets: string[]) {
  const redactor = createRedactor()
  for (const secret of secrets) redactor.add(secret)
  return redactor.text
}

t.test('a secret is masked wherever it stands', async t => {
  const text = masking('s3cr3tcode')
  t.equal(text('s3cr3tcode'), MASK)
  t.equal(text('a s3cr3tcode, (s3cr3tcode) xs3cr3tcodex'), `a ${MASK}, (${MASK}) x${MASK}x`)
  t.equal(text('nothing here'), 'nothing here')
})

t.test('before anything is known nothing changes', async t => {
  t.equal(masking()('12345678 and {"temp": 12}'), '12345678 and {"temp": 12}')
})

t.test('each of several secrets, the longer one first', async t => {
  const text = masking('abc4', 'abc4efgh', '12345678')
  t.equal(text('abc4efgh abc4 12345678'), `${MASK} ${MASK} ${MASK}`)
})

t.test('of a hundred codes each is masked where it stands alone, and left inside longer numbers', async t => {
  const codes = Array.from({ length: 100 }, (_, at) => String(10_000_000 + at * 123_457))
  const text = masking(...codes, 'a-token', codes[7] + 'x')
  for (const code of codes) {
    t.equal(text(`${code} "${code}" x${code},`), `${MASK} "${MASK}" x${MASK},`)
    for (const number of [`1${code}`, `${code}1`, `1.${code}`, `${code}.5`]) t.equal(text(number), number)
  }
  t.equal(text(`a-token ${codes[7]}x ${codes[7]}`), `${MASK} ${MASK} ${MASK}`)
})

t.test('signs that mean something in patterns are taken as they are', async t => {
  const text = masking('a.b*(c)[d]$', '^x|y\\z')
  t.equal(text('a.b*(c)[d]$ and ^x|y\\z'), `${MASK} and ${MASK}`)
  t.equal(text('aXb*(c)[d]$'), 'aXb*(c)[d]$')
})

t.test('short secrets would hide half of every message', async t => {
  t.equal(masking('a1c', '')('a1c a1cd'), 'a1c a1cd')
  t.equal(masking('a1cd')('a1cd'), MASK)
})

t.test('a password that is a word leaves answers readable', async t => {
  const answer = { success: true, printer: 'one', role: 'admin', old_password: 'geheim', password_age: 3 }
  const text = masking('true', 'admin', 'printer', 'success', 'password_', 'password')
  t.same(JSON.parse(text(JSON.stringify(answer))), answer)
  t.same(JSON.parse(JSON.parse(text(JSON.stringify(JSON.stringify(answer))))), answer, 'inside JSON, too')
  const paths = { '/api/password/{id}': 1, 'a-password': 2 }
  t.same(JSON.parse(text(JSON.stringify(paths, null, 2))), paths, 'keys of several words')
  t.equal(text('login "password": refused'), `login "${MASK}": refused`)
  t.equal(text('{"msg":"login \\"password\\": refused"}'), `{"msg":"login \\"${MASK}\\": refused"}`)
  t.equal(text('refused: password'), `refused: ${MASK}`)
  t.same(JSON.parse(text('{"a":"password"}')), { a: MASK }, 'longer ones are masked as values')
})

t.test('a secret inside JSON, and inside JSON inside JSON', async t => {
  const text = masking('tok"en\\x')
  const inner = JSON.stringify({ value: 'tok"en\\x' })
  t.same(JSON.parse(text(inner)), { value: MASK })
  t.equal(text('tok"en\\x'), MASK)
  t.same(JSON.parse(JSON.parse(text(JSON.stringify(inner)))), { value: MASK })
  t.same(JSON.parse(JSON.parse(masking('12345678')(JSON.stringify(JSON.stringify({ code: '12345678' }))))), { code: MASK })
})

t.test('fields that carry secrets are masked whatever their value', async t => {
  const text = masking()
  for (const field of ['access_code', 'accessCode', 'accesscode', 'dev_access_code', 'password', 'token', 'Authorization']) {
    t.same(JSON.parse(text(JSON.stringify({ [field]: 'anything at all', other: 'kept' }))), { [field]: MASK, other: 'kept' })
    t.same(JSON.parse(text(JSON.stringify({ [field]: 12345678, other: 1 }))), { [field]: null, other: 1 })
  }
  t.equal(text('{ "access_code" : "x" }'), `{ "access_code" : "${MASK}" }`)
  t.equal(text('{\\"access_code\\":\\"x y\\"}'), `{\\"access_code\\":\\"${MASK}\\"}`)
  t.equal(text('{\\\\\\"access_code\\\\\\":\\\\\\"x\\\\\\"}'), `{\\\\\\"access_code\\\\\\":\\\\\\"${MASK}\\\\\\"}`)
})

const deeper = (text: string) => JSON.stringify(text)

t.test('the whole value is masked, whatever is in it and however deep it lies', async t => {
  const text = masking()
  for (const value of ['ti"ck"et', 'back\\slash', 'end\\', '"', '\\"', 'new\nline', '\u2028', 'ü 🙂']) {
    const inner = JSON.stringify({ print: { ttcode: value, other: 'kept' } })
    const masked = JSON.stringify({ print: { ttcode: MASK, other: 'kept' } })
    t.equal(text(inner), masked)
    t.equal(text(deeper(inner)), deeper(masked))
    t.equal(text(deeper(deeper(inner))), deeper(deeper(masked)))
  }
  t.equal(text('{"authkey":""}'), '{"authkey":""}', 'nothing is no secret')
  for (const token of [-5, 1.5, 1e30]) {
    t.same(JSON.parse(text(JSON.stringify({ token, a: 1 }))), { token: null, a: 1 })
  }
})

t.test('a payload that was cut short tells nothing either', async t => {
  const text = masking()
  const line = JSON.stringify({ payload: '{"print":{"ttcode":"secr', msg: 'received' })
  t.same(JSON.parse(text(line)), { payload: `{"print":{"ttcode":"${MASK}`, msg: 'received' })
  t.equal(text('{"passwd":"secr'), `{"passwd":"${MASK}`)
})

t.test('what cloud and camera call their secrets', async t => {
  const text = masking()
  for (const field of ['ttcode', 'authkey', 'auth_key', 'passwd', 'access_token', 'refreshToken', 'Signature']) {
    t.same(JSON.parse(text(JSON.stringify({ [field]: 'anything', other: 'kept' }))), { [field]: MASK, other: 'kept' })
  }
})

t.test('secrets in addresses are masked, the rest of the address stays', async t => {
  const text = masking()
  const link = (query: string) => `https://files.example.com/a/b.3mf?${query}`
  t.equal(text(link('Expires=17&Signature=a%2Bb%3D&AWSAccessKeyId=AKIA12')), link(`Expires=17&Signature=${MASK}&AWSAccessKeyId=${MASK}`))
  t.equal(text(link('X-Amz-Date=2&X-Amz-Signature=abc&x-amz-security-token=T+/x==&n=1')),
    link(`X-Amz-Date=2&X-Amz-Signature=${MASK}&x-amz-security-token=${MASK}&n=1`))
  t.equal(text('bambu:///tutk?uid=U1&authkey=k3y&passwd=p@ss&region=eu'), `bambu:///tutk?uid=U1&authkey=${MASK}&passwd=${MASK}&region=eu`)
  t.equal(text('rtsps://bblp:s3cret@10.0.0.2:322/live'), `rtsps://bblp:${MASK}@10.0.0.2:322/live`)
  const json = JSON.stringify({ url: link('Signature=abc'), a: 1 })
  const safe = JSON.stringify({ url: link(`Signature=${MASK}`), a: 1 })
  t.equal(text(json), safe)
  t.equal(text(deeper(deeper(json))), deeper(deeper(safe)))
  t.equal(text(String.raw`{"url":"https://x/?a=1\u0026token=abc"}`), String.raw`{"url":"https://x/?a=1\u0026token=${MASK}"}`)
  t.equal(text(`/api/x?url=${encodeURIComponent(link('Signature=abc&n=1'))}`),
    `/api/x?url=${encodeURIComponent(link(''))}Signature%3D${MASK}%26n%3D1`)
  t.equal(text(`<a href="${link('Signature=abc')}">`), `<a href="${link(`Signature=${MASK}`)}">`)
})

t.test('addresses without secrets stay', async t => {
  for (const address of ['https://e.bambulab.com/?e=0300010000010007', 'http://[::1]:8080/?printer=token', 'http://a:80/b@c',
    'ftp:///a?b.3mf', 'https://x/?design=1&policyholder=2&tokens=5']) t.equal(masking()(address), address)
})

t.test('fields that only sound alike stay', async t => {
  const body = '{"access_code_set":true,"tokens":5,"passwords":["a"],"code":"7"}'
  t.equal(masking()(body), body)
})

t.test('a code of digits that stands as a number leaves valid JSON', async t => {
  const text = masking('12345678')
  for (const value of [{ a: 12345678 }, { a: 12345678, b: 1 }, [12345678], [1, 12345678, 2]]) {
    const plain = text(JSON.stringify(value))
    t.notMatch(plain, '12345678')
    t.doesNotThrow(() => JSON.parse(plain), plain)
    t.doesNotThrow(() => JSON.parse(text(JSON.stringify(value, null, 2))))
  }
  t.same(JSON.parse(text('{"a":12345678}')), { a: null })
})

t.test('digits inside a longer number are not the code', async t => {
  const text = masking('12345678')
  for (const number of [112345678, 123456789, 1.12345678, 12345678.5, 99123456789]) {
    t.same(JSON.parse(text(JSON.stringify({ number }))), { number })
  }
  t.equal(text('x12345678y v12345678 12345678.'), `x${MASK}y v${MASK} ${MASK}.`)
})

t.test('a secret may be told of twice and while texts are masked', async t => {
  const redactor = createRedactor()
  redactor.add('first-one')
  redactor.add('first-one')
  t.equal(redactor.text('first-one second-one'), `${MASK} second-one`)
  redactor.add('second-one')
  t.equal(redactor.text('first-one second-one'), `${MASK} ${MASK}`)
})
