# Blazon in a container: only Node, the installed package, and the programs for the sandbox of its workers.
# docker build -t blazon . && docker run -p 3000:3000 -v blazon:/data blazon
ARG NODE_IMAGE=node:24-slim

# The published package, with its catalog.
FROM ${NODE_IMAGE} AS pack
WORKDIR /source
COPY . .
RUN npm ci --no-audit --no-fund && npm pack --pack-destination /

# All files of the image, in /image.
FROM ${NODE_IMAGE} AS install
COPY --from=pack /blazon-*.tgz /
RUN npm install --prefix /image/opt/blazon --omit=dev --no-audit --no-fund /blazon-*.tgz \
  && cd /image/opt/blazon/node_modules \
  # Removes native modules of other systems, types, and source maps.
  && find . -path '*/prebuilds/*' -type d ! -name "linux-*" -prune -exec rm -rf {} + \
  && find . -type d -path "*/prebuilds/linux-*" ! -name "linux-$(node -p process.arch)*" -prune -exec rm -rf {} + \
  && find . -type f -path '*/prebuilds/*' -name '*musl*' -delete \
  && find . -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete \
  # Programs and native modules need system libraries. Workers are started with sh, unshare, setpriv, mount and mkdir
  # (src/platform/processes/fence-launcher.ts).
  && programs=$(for program in node sh unshare setpriv mount mkdir; do command -v $program; done) \
  && cp --parents -L $programs /image \
  && for file in $programs $(find /image/opt -name '*.node' -o -name '*.so*'); do ldd $file | grep -o '/[^ ]*' | grep -v '^/image'; done \
    | sort -u | xargs cp --parents -L -t /image \
  && mkdir -p /image/etc /image/tmp /image/data \
  && chmod 1777 /image/tmp && chmod 0777 /image/data \
  && printf '#!%s\nexec node /opt/blazon/node_modules/blazon/dist/src/blazon.js "$@"\n' "$(command -v sh)" > /image/usr/local/bin/blazon \
  && chmod 755 /image/usr/local/bin/blazon \
  && echo 'blazon:x:1000:1000::/data:/nonexistent' > /image/etc/passwd \
  && echo 'blazon:x:1000:' > /image/etc/group

FROM scratch
COPY --from=install /image /
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data PATH=/usr/local/bin:/usr/bin:/bin
# Any other user id works too: --user 4711.
USER 1000:1000
VOLUME /data
EXPOSE 3000
# A plain agent ignores HTTP_PROXY and NODE_USE_ENV_PROXY.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "const { Agent, get } = require('node:http'); get({ host: '127.0.0.1', port: process.env.PORT, path: '/readyz', agent: new Agent() }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
ENTRYPOINT ["node", "/opt/blazon/node_modules/blazon/dist/src/blazon.js"]
CMD ["serve"]
