import { definePreset } from '../../core/index.js'
import automation from '../../plugins/automation/index.js'
import externalChamber from '../../plugins/external-chamber/index.js'
import { httpWith } from '../../plugins/http/index.js'
import https from '../../plugins/https/index.js'
import live from '../../plugins/live/index.js'
import openapi from '../../plugins/openapi/index.js'
import toolpath from '../../plugins/toolpath/index.js'
import socketio from '../../plugins/socketio/index.js'
import shell from '../../plugins/shell/index.js'
import web from '../../plugins/web/index.js'
import { features } from '../features.js'
import { dialect } from './dialect.js'
import standalone from './plugin.js'
import { routes } from './routes/index.js'

/** One printer with an interface of its own: mostly GET routes, and Socket.IO. */
export default definePreset({
  name: 'standalone',
  plugins: [
    openapi, httpWith({ dialect, routes }), https, live, socketio, externalChamber, features, toolpath, automation,
    standalone, shell, web
  ]
})
