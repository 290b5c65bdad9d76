import t from 'tap'
import { wordsOfFailure } from '../../../core/index.js'

const failure = (message: string, more: object = {}) => Object.assign(new Error(message), more)
const REFUSED = /nothing listens there/
const NO_TLS = /does not speak TLS there/

t.test('what libraries say of a failure is told in words', async t => {
  const cases: readonly [string, Error, RegExp][] = [
    ['a web request', failure('fetch failed', { cause: failure('connect ECONNREFUSED 127.0.0.1:9', { code: 'ECONNREFUSED' }) }), REFUSED],
    ['to a host with two addresses', failure('fetch failed', {
      cause: Object.assign(new AggregateError([failure('', { code: 'ECONNREFUSED' })]), { code: undefined })
    }), REFUSED],
    ['a mail', failure('connect ECONNREFUSED 127.0.0.1:9', { code: 'ESOCKET' }), REFUSED],
    ['a mail to no host', failure('getaddrinfo ENOTFOUND mail.example', { code: 'EDNS' }), /cannot be looked up|no host of that name/],
    ['a mail without a greeting', failure('Greeting never received', { code: 'ETIMEDOUT' }), /does not answer/],
    ['a mail, TLS on a plain port', failure('00B6:error:0A00010B:SSL routines:ssl3_get_record:wrong version number', { code: 'ESOCKET' }), NO_TLS],
    ['a mail server of its own authority', failure('self-signed certificate', { code: 'ESOCKET' }), /signed by itself: name it as ca/],
    ['another alert of TLS', failure('80E0:error:0A000410:SSL routines::sslv3 alert handshake failure'), NO_TLS],
    ['a wrong login', failure('Invalid login: 535 5.7.8', { code: 'EAUTH' }), /user or password is wrong/],
    ['a broker', failure('Connection refused: Not authorized', { code: 5 }), /user or password is wrong/],
    ['NATS', failure("'AUTHORIZATION_VIOLATION'", { cause: failure('Authorization Violation') }), /user or password is wrong/],
    ['a request that hangs up', failure('fetch failed', { cause: failure('other side closed', { code: 'UND_ERR_SOCKET' }) }), /ended the connection/]
  ]
  for (const [what, error, words] of cases) {
    t.match(wordsOfFailure(error), words, what)
    t.notMatch(wordsOfFailure(error), /ECONN|SSL routines|:error:|fetch failed|undefined/, what)
  }
  t.equal(wordsOfFailure(failure('it answered 503')), 'it answered 503', 'our own words stay')
})
