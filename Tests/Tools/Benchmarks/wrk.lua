-- Requests for wrk: the hosts in turn, `depth` of them at once, made before the first is sent.
-- After `--`: path, depth, `close` or `keep`, Accept-Encoding or `-`, then the hosts.

local requests, turn = {}, 0
local threads = 0

-- Each thread connects to another address, 127.0.0.1, 127.0.0.2 and so on: each has its own ports.
function setup(thread)
  threads = threads + 1
  thread.addr = wrk.lookup("127.0.0." .. threads, tostring(wrk.port))[1]
end

function init(arguments)
  local path, depth = arguments[1], tonumber(arguments[2])
  local fields = ""
  if arguments[4] ~= "-" then fields = "Accept-Encoding: " .. arguments[4] .. "\r\n" end
  if arguments[3] == "close" then fields = fields .. "Connection: close\r\n" end
  for i = 5, #arguments do
    local request = "GET " .. path .. " HTTP/1.1\r\nHost: " .. arguments[i] .. "\r\n" .. fields
    requests[#requests + 1] = string.rep(request .. "\r\n", depth)
  end
end

function request()
  turn = turn % #requests + 1
  return requests[turn]
end
