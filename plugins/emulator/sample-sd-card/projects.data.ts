import type { Material, ProjectScene, Thing } from './scene.js'

const WHITE: Material = { id: 1, type: 'PLA', color: '#FFFFFF', infoIdx: 'GFA00' }
const BLUE: Material = { id: 2, type: 'PLA', color: '#0A2989', infoIdx: 'GFA00' }
const RED: Material = { id: 2, type: 'PETG', color: '#EB3A3A', infoIdx: 'GFG02' }

const block = (name: string, x: number, y: number, width: number, depth: number, height: number, filament = 1): Thing =>
  ({ name, shape: 'block', x, y, width, depth, height, filament })
const round = (name: string, x: number, y: number, width: number, height: number, filament = 1): Thing =>
  ({ name, shape: 'round', x, y, width, depth: width, height, filament })

/** Projects that fit on every bed. */
export const PROJECTS: readonly ProjectScene[] = [
  {
    path: '/calibration-cube.gcode.3mf',
    materials: [WHITE],
    plates: [{
      number: 1,
      name: '',
      filaments: [1],
      minutes: 24,
      layers: 100,
      grams: 4.1,
      things: [block('Cube 20 mm', 0, 0, 20, 20, 20)]
    }]
  },
  {
    path: '/desk-organiser.gcode.3mf',
    materials: [WHITE, BLUE],
    plates: [
      {
        number: 1,
        name: 'Trays',
        filaments: [1],
        minutes: 95,
        layers: 150,
        grams: 46.5,
        things: [block('tray.stl', -38, 0, 62, 120, 30), block('divider.stl', 30, 40, 50, 8, 28), block('divider.stl', 30, 10, 50, 8, 28)]
      },
      {
        number: 2,
        name: 'Pen cup & lid',
        filaments: [1, 2],
        minutes: 62,
        layers: 220,
        grams: 31.8,
        tower: true,
        things: [round('pen cup.stl', -26, -14, 58, 60), round('lid "flat".stl', 42, -14, 52, 8, 2), block('label.stl', 0, 48, 40, 14, 3, 2)]
      },
      {
        number: 5,
        name: 'Spare parts',
        filaments: [2],
        minutes: 12,
        layers: 40,
        grams: 3.2,
        sliced: false,
        things: [block('clip.stl', -20, 0, 12, 26, 6, 2), block('clip.stl', 0, 0, 12, 26, 6, 2), block('clip.stl', 20, 0, 12, 26, 6, 2)]
      }
    ]
  },
  {
    path: '/cache/Blumentopf grün (v2).gcode.3mf',
    materials: [WHITE, RED],
    plates: [{
      number: 1,
      name: 'Topf',
      filaments: [2],
      minutes: 41,
      layers: 175,
      grams: 22.4,
      things: [round('Topf', 0, 6, 74, 55, 2), round('Untersetzer', 0, -58, 44, 6, 2)]
    }]
  },
  { path: '/model/lantern.3mf', materials: [WHITE], plates: [] }
]

/** Only for printers with two nozzles: the logo is printed by the left one, the rest by the right one. */
export const DUAL_PROJECTS: readonly ProjectScene[] = [
  {
    path: '/gearbox-two-nozzles.gcode.3mf',
    materials: [WHITE, BLUE],
    extruders: [2, 1],
    plates: [{
      number: 1,
      name: 'Gearbox',
      filaments: [1, 2],
      minutes: 130,
      layers: 260,
      grams: 88.6,
      tower: true,
      things: [block('housing.step', -50, 0, 110, 90, 52), round('gear.step', 60, 40, 48, 14, 2), round('gear.step', 60, -40, 48, 14, 2)]
    }]
  }
]

/** A file that is no archive, whatever its name says. */
export const IMPOSTOR = { path: '/cache/notes.3mf', content: 'Filament order: two white, one red.\n' }
