// Loaded before every test: tap would have each program that a test starts report which files it loads.
import spawns from 'process-on-spawn'

spawns.removeAllListeners()
delete process.env.NODE_OPTIONS
