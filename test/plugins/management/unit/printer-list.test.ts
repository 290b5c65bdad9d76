import t from 'tap'
import { readPrinterList } from '../../../../plugins/management/printer-list.js'

const A = { name: 'a', host: '10.0.0.1', serial: 'S1', accessCode: '12345678' }
const CSV = 'name,host,serial,access_code\na,10.0.0.1,S1,12345678\n'

t.test('tables and JSON, with the headings people write', async t => {
  t.same(readPrinterList(CSV, []), [A])
  t.same(readPrinterList('\uFEFFName;Host;Serial;Access Code;MQTT-Port\r\n"a";10.0.0.1; S1 ;12345678;1883\r\n\r\n', []),
    [{ ...A, mqttPort: 1883 }])
  t.same(readPrinterList('name\thost\tserial\taccessCode\na\t10.0.0.1\tS1\t12345678', []), [A])
  t.same(readPrinterList('name,host,serial,access_code\n"a, ""b""",h,S1,1', []), [{ name: 'a, "b"', host: 'h', serial: 'S1', accessCode: '1' }])
  t.same(readPrinterList(JSON.stringify([{ name: 'a', host: '10.0.0.1', serial: 'S1', access_code: 12345678 }]), []), [A])
})

t.test('a configuration file is a list, too, if it holds the codes', async t => {
  const entry = { ...A, model: 'P1S', ports: { mqtt: 1883, camera: 6001 }, tls: { mode: 'pin' } }
  t.same(readPrinterList(JSON.stringify({ printers: [entry], api: { host: '::1' } }), []),
    [{ ...A, mqttPort: 1883, ports: { camera: 6001 } }])
  const { accessCode: _code, ...bare } = entry
  t.throws(() => readPrinterList(JSON.stringify({ printers: [bare] }), []), { message: /Printer 1: access_code is missing/ })
  t.throws(() => readPrinterList(JSON.stringify({ printers: [{ ...A, accessCode: { env: 'X' } }] }), []), { message: /must be a text/ })
})

t.test('everything that is wrong is told at once, by its line and without values', async t => {
  const text = `${CSV}a,10.0.0.2,S2,87654321\nb,10.0.0.3,s1,87654321\nc,10.0.0.4,S4\nd,10.0.0.5,S5,87654321,9\nold,h,S9,1\n`
  const problem = (list: string) => {
    try {
      readPrinterList(list, [{ name: 'old', serial: 'S0' }])
    } catch (error) {
      return (error as Error).message
    }
    return ''
  }
  const said = problem(text)
  t.match(said, /^Nothing was imported\. Line 3: there is a printer 'a' already\. Line 4: its serial number is that of 'a'\./)
  t.match(said, /Line 5: access_code is missing\. Line 6: there are more cells than columns\. Line 7: there is a printer 'old'/)
  t.notMatch(said, '87654321')
  t.match(problem('name,address\n'), /Line 1: a column is called 'address'/)
  t.match(problem('name,host,serial,access_code,mqtt_port\na,h,S1,1,99999'), /mqtt_port must be 1 to 65535/)
  t.match(problem('[1'), /no JSON/)
  t.match(problem('{}'), /must be an array/)
  t.match(problem('[null, {"name": {}}]'), /Printer 1: name is missing\. Printer 2: 'name' must be a text/)
  t.match(problem('name,host,serial,access_code'), /names no printer/)
  t.match(problem(''), /a column is called ''/)
})
