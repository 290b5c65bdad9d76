import type { Material, ProjectScene } from './scene.js'

const WHITE: Material = { id: 1, type: 'PLA', color: '#FFFFFF', infoIdx: 'GFA00' }
const BLUE: Material = { id: 2, type: 'PLA', color: '#0A2989', infoIdx: 'GFA00' }
const RED: Material = { id: 2, type: 'PETG', color: '#EB3A3A', infoIdx: 'GFG02' }

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
      things: [{ name: 'Cube 20 mm', shape: 'block', x: 0, y: 0, width: 20, depth: 20, height: 20, filament: 1 }]
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
        things: [{ name: 'tray.stl', shape: 'block', x: -38, y: 0, width: 62, depth: 120, height: 30, filament: 1 }, { name: 'divider.stl', shape: 'block', x: 30, y: 40, width: 50, depth: 8, height: 28, filament: 1 }, { name: 'divider.stl', shape: 'block', x: 30, y: 10, width: 50, depth: 8, height: 28, filament: 1 }]
      },
      {
        number: 2,
        name: 'Pen cup & lid',
        filaments: [1, 2],
        minutes: 62,
        layers: 220,
        grams: 31.8,
        tower: true,
        things: [{ name: 'pen cup.stl', shape: 'round', x: -26, y: -14, width: 58, depth: 58, height: 60, filament: 1 }, { name: 'lid "flat".stl', shape: 'round', x: 42, y: -14, width: 52, depth: 52, height: 8, filament: 2 }, { name: 'label.stl', shape: 'block', x: 0, y: 48, width: 40, depth: 14, height: 3, filament: 2 }]
      },
      {
        number: 5,
        name: 'Spare parts',
        filaments: [2],
        minutes: 12,
        layers: 40,
        grams: 3.2,
        sliced: false,
        things: [{ name: 'clip.stl', shape: 'block', x: -20, y: 0, width: 12, depth: 26, height: 6, filament: 2 }, { name: 'clip.stl', shape: 'block', x: 0, y: 0, width: 12, depth: 26, height: 6, filament: 2 }, { name: 'clip.stl', shape: 'block', x: 20, y: 0, width: 12, depth: 26, height: 6, filament: 2 }]
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
      things: [{ name: 'Topf', shape: 'round', x: 0, y: 6, width: 74, depth: 74, height: 55, filament: 2 }, { name: 'Untersetzer', shape: 'round', x: 0, y: -58, width: 44, depth: 44, height: 6, filament: 2 }]
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
      things: [{ name: 'housing.step', shape: 'block', x: -50, y: 0, width: 110, depth: 90, height: 52, filament: 1 }, { name: 'gear.step', shape: 'round', x: 60, y: 40, width: 48, depth: 48, height: 14, filament: 2 }, { name: 'gear.step', shape: 'round', x: 60, y: -40, width: 48, depth: 48, height: 14, filament: 2 }]
    }]
  }
]

/** A file that is no archive, whatever its name says. */
export const IMPOSTOR = { path: '/cache/notes.3mf', content: 'Filament order: two white, one red.\n' }
