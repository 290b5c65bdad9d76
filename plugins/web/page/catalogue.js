import { call, has } from './api.js'

/** @type {any[]} */
let catalogue = []

/** Loads the filament catalogue; empty if there is none. @returns {Promise<any[]>} */
export async function loadCatalogue () {
  if (catalogue.length === 0 && has('filament_catalog')) catalogue = await call('filament_catalog').catch(() => [])
  return catalogue
}
