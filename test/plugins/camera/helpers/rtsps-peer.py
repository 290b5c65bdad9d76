# An RTSPS camera that is not ours: GStreamer's server with TLS and a password.
# Arguments: file with certificate and key, user, password, width, height, pictures a second, basic or digest.
import sys
import gi
gi.require_version('Gst', '1.0')
gi.require_version('GstRtspServer', '1.0')
gi.require_version('GstRtsp', '1.0')
from gi.repository import Gio, GLib, Gst, GstRtsp, GstRtspServer

pem, user, password, width, height, rate, method = sys.argv[1:8]
Gst.init(None)

server = GstRtspServer.RTSPServer()
server.set_address('127.0.0.1')
server.set_service('0')

auth = GstRtspServer.RTSPAuth()
auth.set_tls_certificate(Gio.TlsCertificate.new_from_file(pem))
token = GstRtspServer.RTSPToken()
token.set_string(GstRtspServer.RTSP_TOKEN_MEDIA_FACTORY_ROLE, 'viewer')
if method == 'digest':
    auth.set_supported_methods(GstRtsp.RTSPAuthMethod.DIGEST)
    auth.add_digest(user, password, token)
else:
    auth.add_basic(GstRtspServer.RTSPAuth.make_basic(user, password), token)
server.set_auth(auth)

factory = GstRtspServer.RTSPMediaFactory()
factory.set_launch(f'( videotestsrc is-live=true pattern=ball ! video/x-raw,width={width},height={height},framerate={rate}/1 '
                   '! x264enc tune=zerolatency speed-preset=ultrafast key-int-max=15 ! rtph264pay name=pay0 pt=96 )')
factory.set_shared(True)
permissions = GstRtspServer.RTSPPermissions()
permissions.add_role('viewer')
permissions.add_permission_for_role('viewer', 'media.factory.access', True)
permissions.add_permission_for_role('viewer', 'media.factory.construct', True)
factory.set_permissions(permissions)
server.get_mount_points().add_factory('/streaming/live/1', factory)


def told(client):
    print(f'open {client.get_connection().get_ip()}', flush=True)
    client.connect('closed', lambda _: print('closed', flush=True))


server.connect('client-connected', lambda _, client: told(client))
server.attach(None)
print(f'port {server.get_bound_port()}', flush=True)
loop = GLib.MainLoop()
GLib.io_add_watch(sys.stdin, GLib.IO_HUP | GLib.IO_ERR, lambda *_: loop.quit())
loop.run()
