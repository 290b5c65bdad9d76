import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { inspectModel } from '../../../../plugins/slicing/models/check/inspect-model.js'
import { openModelFile } from '../../../../plugins/slicing/models/model-file.js'
import { parseNumber } from '../../../../plugins/slicing/models/read/parse-lines.js'
import { testFolder } from '../../../helpers/folder.js'
import {
  binaryStl, block, cube, meshXml, modelXml, objectXml, objText, scaledBy, simple3mf, sphere, textStl, threeMf
} from './shapes.js'

const never = (): void => {}
const CUBE = cube()
const BLOCK = block([30, 20, 10])
const WHOLE = { triangles: 12, isClosed: true, problems: [] }

function inspectorOf (t: Parameters<typeof testFolder>[0]) {
  const folder = testFolder(t)
  let count = 0
  return async (content: string | Buffer, name: string) => {
    const path = join(folder, String(++count))
    writeFileSync(path, content)
    return await inspectModel(await openModelFile(path, name), never)
  }
}

t.test('numbers are read as the language reads them, to the precision of a mesh', async t => {
  const read = (text: string) => parseNumber(Buffer.from(text), 0, text.length)
  const texts = ['0', '-0', '+1.5', '.5', '5.', '1e3', '-1.25E-2', '123456789012345678901234567890', '1e-400', '3.4028235e38',
    '0.000000000000000000001', '12345.678901234567', '1e400', '-1e+05']
  for (const text of texts) t.equal(Math.fround(read(text)), Math.fround(Number(text)), text)
  for (const text of ['', '-', '.', 'e5', '1e', '1,5', '1.2.3', 'nan', '0x10', '1e5x', '--1']) {
    t.ok(Number.isNaN(read(text)), text)
  }
})

t.test('STL: binary and text, whatever they begin with', async t => {
  const inspect = inspectorOf(t)
  const report = { format: 'stl', unit: 'millimeter', parts: [{ ...WHOLE, name: 'a', sizeMm: [30, 20, 10], volumeMm3: 6_000 }] }
  t.match(await inspect(binaryStl(BLOCK), 'a.stl'), report)
  t.match(await inspect(binaryStl(BLOCK, { header: 'solid facet endsolid' }), 'a.stl'), report, 'begins like text')
  t.match(await inspect(binaryStl(BLOCK), 'a'), report, 'without an ending')
  const named = { ...report, parts: [{ ...report.parts[0], name: 'part1' }] }
  t.match(await inspect(textStl(BLOCK), 'a.STL'), named)
  t.match(await inspect(textStl(BLOCK).replaceAll('\n', '\r\n'), 'a.stl'), named, 'CRLF')
  t.match(await inspect(textStl(BLOCK).replaceAll('\n', '\r'), 'a.stl'), named, 'CR')
  t.match(await inspect(textStl(BLOCK).replace(/endsolid.*/, ''), 'a.stl'), named, 'no endsolid')
  t.match(await inspect(textStl(BLOCK).replaceAll('30 ', '+3.0E+01 ').toUpperCase(), 'a.stl'), report.parts[0] && {
    parts: [{ ...WHOLE, name: 'PART1' }]
  }, 'capitals and exponents')
})

t.test('STL: several solids are several parts, and patches of one body are one', async t => {
  const inspect = inspectorOf(t)
  t.match(await inspect(textStl(CUBE, cube(10, [40, 0, 0])), 'two.stl'), {
    parts: [{ ...WHOLE, index: 0, name: 'part1', volumeMm3: 8_000 }, { ...WHOLE, index: 1, name: 'part2', volumeMm3: 1_000 }]
  })
  const patches = await inspect(textStl(CUBE.slice(0, 4), CUBE.slice(4)), 'patches.stl')
  t.match(patches.parts, [{ ...WHOLE, name: 'patches' }])
  t.equal(patches.parts.length, 1)
})

t.test('OBJ: negative indices, polygons, parts, and nothing that it refers to', async t => {
  const inspect = inspectorOf(t)
  t.match(await inspect(objText(BLOCK), 'a.obj'), { format: 'obj', parts: [{ ...WHOLE, name: 'a', volumeMm3: 6_000 }] })
  const l = 'v 0 0 0\nv 20 0 0\nv 20 10 0\nv 10 10 0\nv 10 20 0\nv 0 20 0\n'
  const above = l.replaceAll(' 0\n', ' 5\n')
  const sides = [1, 2, 3, 4, 5, 6].map(i => `f ${i}//1 ${i % 6 + 1}//1 ${i % 6 + 7}//2 ${i + 6}/3/2\n`).join('')
  const text = `mtllib /etc/passwd\n${l}${above}o  an L \nusemtl x\nf 6 5 4 3 2 1\nf -6 -5 -4 -3 -2 -1\n${sides}`
  t.match(await inspect(text, 'l.obj'), {
    parts: [{ name: 'an L', triangles: 20, isClosed: true, volumeMm3: 1_500, problems: [] }]
  }, 'a polygon with a corner inwards')
  const two = `o one\n${objText(CUBE)}g two\n${objText(cube(5, [50, 0, 0])).replaceAll(/^f (\d+) (\d+) (\d+)/gm,
    (_, ...corners: string[]) => `f ${corners.slice(0, 3).map(corner => Number(corner) + 8).join(' ')}`)}`
  t.match(await inspect(two, 'two.obj'), { parts: [{ ...WHOLE, name: 'one' }, { ...WHOLE, name: 'two', volumeMm3: 125 }] })
})

t.test('3MF: units, transforms, components, other documents, items that are not printed', async t => {
  const inspect = inspectorOf(t)
  t.match(await inspect(simple3mf(scaledBy(CUBE, 1 / 25.4), 'unit="inch"'), 'a.3mf'), {
    format: '3mf', unit: 'inch', parts: [{ ...WHOLE, name: 'a', sizeMm: [20, 20, 20].map(Math.fround) }]
  })
  const uses = '<components><component objectid="7" p:path="/3D/Objects/b.model" transform="1 0 0 0 1 0 0 0 1 0 0 30"/>' +
    '<component objectid="1" transform="-1 0 0 0 2 0 0 0 1 0 0 0"/></components>'
  const model = modelXml(objectXml(1, meshXml(CUBE)) + objectXml(2, uses, 'name="Tom &amp; J&#233;"'),
    '<item objectid="2" transform="0 1 0 -1 0 0 0 0 1 100 0 0"/><item objectid="1" printable="0"/>', 'xmlns:p="x"')
  const other = modelXml(objectXml(7, meshXml(BLOCK)), '')
  const report = await inspect(threeMf(model, { '3D/Objects/b.model': other }), 'c.3mf')
  t.match(report.parts, [{ name: 'Tom & Jé', triangles: 24, volumeMm3: 22_000, isClosed: true, problems: [] }])
  t.same(report.parts[0]?.sizeMm, [40, 50, 40], 'turned by its item, a component mirrored and moved')
  t.match(report.problems, [{ code: 'hidden-left-out', weight: 'note', figures: { objects: 1 } }])
})

t.test('3MF: modifiers of PrusaSlicer are no part of the print', async t => {
  const inspect = inspectorOf(t)
  const model = modelXml(objectXml(1, meshXml([...CUBE, ...cube(5, [50, 0, 0])])), '<item objectid="1"/>')
  const config = '<config><object id="1"><volume firstid="0" lastid="11"><metadata type="volume" key="volume_type" ' +
    'value="ModelPart"/></volume><volume firstid="12" lastid="23"><metadata type="volume" key="volume_type" ' +
    'value="ParameterModifier"/></volume></object></config>'
  const report = await inspect(threeMf(model, { 'Metadata/Slic3r_PE_model.config': config }), 'a.3mf')
  t.match(report, { parts: [{ ...WHOLE, volumeMm3: 8_000 }], problems: [{ code: 'helpers-left-out' }] })
})

t.test('3MF: projects of Bambu Studio name their objects in a file of their own', async t => {
  const inspect = inspectorOf(t)
  const model = modelXml(objectXml(4, meshXml(CUBE)), '<item objectid="4"/>')
  const config = '<config><object id="4"><metadata key="name" value="Bracket"/><part id="1" subtype="normal_part">' +
    '<metadata key="name" value="its part"/></part></object><plate><metadata key="name" value="Plate"/></plate></config>'
  const report = await inspect(threeMf(model, { 'Metadata/model_settings.config': config }), 'a.3mf')
  t.match(report.parts, [{ ...WHOLE, name: 'Bracket' }])
})

t.test('several bodies, cavities and touching edges are no problem', async t => {
  const inspect = inspectorOf(t)
  const hollow = [...sphere(10, 12), ...sphere(5, 12).map(([a, b, c]) => [a, c, b] as const)]
  t.match((await inspect(binaryStl(hollow), 'hollow.stl')).parts, [{ isClosed: true, problems: [] }])
  const touching = await inspect(binaryStl([...CUBE, ...cube(20, [20, 20, 0])]), 'touching.stl')
  t.match(touching.parts, [{ isClosed: true, problems: [{ code: 'touching-edges', weight: 'note' }] }])
})
