# SPDX-License-Identifier: BSD-2-Clause
#
# Small input files for public programs whose own data is not in their repository.
# usage: LC_ALL=C awk -f data.awk -v what=NAME > FILE
#
#   what      FILE                                        of
#   egr       a graph of 150 nodes, compressed rows       floydwarshall2: 32-bit counts, row starts, neighbours, weights
#             -v ring=1: each has the nearest four,       mis, which wants edges in both directions
#   images    24 pictures of 28 x 28 points (IDX)         mnist
#   labels    the digits of those pictures (IDX)          mnist
#   ppm       a picture of 64 x 48 points (P6)            recursiveGaussian
#   numbers   2000 numbers between -1 and 1               clink
#   csv       a header and 256 rows of 2 columns          gmm
#   proteins  16 sequences (FASTA); -v seed=N             bsw
#   anchors   2 reads with 100 anchors each               minimap2
#   traces    12 seismic traces of 64 samples (SU)        cmp
#   lattice   a square lattice of 8 x 8 cells             lsqt
#   bfs       a graph of 200 nodes, as text               bfs
#   edges     a graph of 60 nodes with signs (CSV)        graphB+
#   features  300 points of 5 numbers behind their names  kmeans
#   matrix    of 100 x 100, three diagonals (Matrix Market) bicgstab, sptrsv
#   mesh      192 elements with their four neighbours       cfd
#   samples   64 frequencies and 256 places               mriQ
#   floats    a picture of 64 x 64 floats; -v seed=N        hogbom, resnet-kernels
#   genes     60 rows of 20 columns, tabulators between     ccs
#   svm       60 points of 8 numbers in two classes       gd, kmc
#   pairs     256 pairs with a tabulator between          lr
#   counts    100 pairs of a count and a number           gibbs
#   records   64 places with latitude and longitude       nn, haversine (-v columns=2)
#   bmp       a picture of 64 x 32 points of 24 bits      sobel, urng, aes
#
# The numbers are those of a linear congruential generator, so every awk writes the same bytes. The C locale is for awks that
# know characters of several bytes.
function draw(n) { # 0 ... n - 1; 16807 is the multiplier of Lehmer's generator (Park and Miller 1988)
    state = state * 16807 % 2147483647
    return int(state / 65536) % n
}

function big(v) { # 32 bits, the highest byte first
    printf "%c%c%c%c", int(v / 16777216) % 256, int(v / 65536) % 256, int(v / 256) % 256, v % 256
}

function little(v, bytes) { # the lowest byte first
    for (; bytes > 0; bytes--) {
        printf "%c", v % 256
        v = int(v / 256)
    }
}

function number(v,    exponent, sign) { # a float
    if (v == 0)
        return little(0, 4)
    if (v < 0) {
        sign = 1
        v = -v
    }
    exponent = 127
    while (v >= 2) {
        v /= 2
        exponent++
    }
    while (v < 1) {
        v *= 2
        exponent--
    }
    little(int((v - 1) * 8388608) % 8388608 + (exponent + sign * 256) * 8388608, 4)
}

BEGIN {
    state = 12345 + seed
    if (what == "egr") {
        nodes = 150
        degree = 4
        little(nodes, 4)
        little(nodes * degree, 4)
        for (i = 0; i <= nodes; i++)
            little(i * degree, 4)
        for (i = 0; i < nodes * degree; i++)
            little(ring ? (int(i / 4) + nodes + 2 * (i % 2) - 1 + (i % 4 > 1 ? 2 * (i % 2) - 1 : 0)) % nodes : draw(nodes), 4)
        for (i = 0; i < nodes * degree; i++)
            little(1 + draw(50), 4)
    } else if (what == "images") {
        big(2051)
        big(24)
        big(28)
        big(28)
        for (i = 0; i < 24 * 28 * 28; i++)
            little(draw(256), 1)
    } else if (what == "labels") {
        big(2049)
        big(24)
        for (i = 0; i < 24; i++)
            little(i % 10, 1)
    } else if (what == "ppm") {
        printf "P6\n64 48\n255\n"
        for (i = 0; i < 64 * 48 * 3; i++)
            little(draw(256), 1)
    } else if (what == "numbers") {
        for (i = 0; i < 2000; i++)
            print (draw(2001) - 1000) / 1000
    } else if (what == "csv") {
        print "x,y"
        for (i = 0; i < 256; i++)
            print 10 * (i % 4) + draw(1000) / 500 "," 5 * (i % 3) + draw(1000) / 500
    } else if (what == "proteins") {
        for (i = 0; i < 16; i++) {
            print ">" i
            for (k = 40 + draw(40); k > 0; k--)
                printf "%s", substr("ARNDCQEGHILKMFPSTWYV", 1 + draw(20), 1)
            print ""
        }
    } else if (what == "anchors") {
        for (i = 0; i < 2; i++) {
            print 100, 0.15, 5000, 5000, 500
            for (k = 0; k < 100; k++)
                print 1 + int(k / 50), 20 * k + draw(10), 15, 19 * k + draw(10)
            print "EOR"
        }
    } else if (what == "traces") {
        for (i = 0; i < 12; i++) { # an offset of the header is that of SEG-Y's trace header
            for (k = 0; k < 240; k++) {
                if (k == 20) { # the common midpoint
                    little(1 + int(i / 4), 4)
                    k += 3
                } else if (k == 70) { # the scale of coordinates
                    little(1, 2)
                    k++
                } else if (k == 80) { # the receiver's x
                    little(40 * (i % 4), 4)
                    k += 3
                } else if (k == 114) { # samples
                    little(64, 2)
                    k++
                } else if (k == 116) { # microseconds between them
                    little(1000, 2)
                    k++
                } else
                    little(0, 1)
            }
            for (k = 0; k < 64; k++)
                number((draw(2001) - 1000) / 1000)
        }
    } else if (what == "bfs") {
        print nodes = 200
        for (i = 0; i < nodes; i++)
            print 3 * i, 3
        print ""
        print 0
        print ""
        print 3 * nodes
        for (i = 0; i < 3 * nodes; i++)
            print draw(nodes), 1 + draw(10)
    } else if (what == "edges") {
        print "from,to,sign"
        for (i = 1; i < 60; i++)
            print i "," draw(i) "," 1 - 2 * draw(2)
        for (i = 0; i < 90; i++)
            print draw(60) "," draw(60) "," 1 - 2 * draw(2)
    } else if (what == "features") {
        for (i = 0; i < 300; i++) {
            printf "%d", i
            for (k = 0; k < 5; k++)
                printf " %g", 10 * (i % 5) + draw(1000) / 500
            print ""
        }
    } else if (what == "matrix") {
        print "%%MatrixMarket matrix coordinate real symmetric"
        print 100, 100, 199
        for (i = 1; i <= 100; i++)
            for (k = i > 1 ? i - 1 : i; k <= i; k++)
                print i, k, i == k ? 4 : -1
    } else if (what == "mesh") {
        print 192
        for (i = 1; i <= 192; i++) {
            print 1 + draw(100) / 100
            for (k = 0; k < 4; k++)
                print 1 + (i + (k - 1) * 16 + 191) % 192, (draw(2001) - 1000) / 1000, (draw(2001) - 1000) / 1000, 0
        }
    } else if (what == "samples") {
        little(64, 4)
        little(256, 4)
        for (i = 0; i < 3 * 64 + 3 * 256 + 2 * 64; i++)
            number((draw(2001) - 1000) / 1000)
    } else if (what == "floats") {
        for (i = 0; i < 64 * 64; i++)
            number((draw(2001) - 1000) / 1000)
    } else if (what == "genes") {
        for (i = 0; i <= 60; i++) {
            printf "g%d", i
            for (k = 0; k < 20; k++)
                printf "\t%g", draw(1000) / 100
            print ""
        }
    } else if (what == "svm") {
        for (i = 0; i < 60; i++) {
            printf "%d", 2 * (i % 2) - 1
            for (k = 1; k <= 8; k++)
                printf " %d:%g", k, i % 2 + (draw(2001) - 1000) / 1000
            print ""
        }
    } else if (what == "pairs") {
        for (i = 0; i < 256; i++)
            printf "%g\t%g\n", i, 3 * i + draw(1000) / 100
    } else if (what == "counts") {
        for (i = 0; i < 100; i++)
            print draw(30), 1 + draw(1000) / 100
    } else if (what == "records") {
        for (i = 0; i < 64; i++) {
            latitude = (draw(1600) - 800) / 10
            longitude = (draw(3400) - 1700) / 10
            if (columns == 2)
                print latitude, longitude
            else
                printf "%-28s%5.1f%5.1f%11s\n", i, latitude, longitude, ""
        }
    } else if (what == "bmp") {
        printf "BM"
        little(54 + 64 * 32 * 3, 4)
        little(0, 4)
        little(54, 4)
        little(40, 4)
        little(64, 4)
        little(32, 4)
        little(1, 2)
        little(24, 2)
        for (i = 0; i < 6; i++)
            little(0, 4)
        for (i = 0; i < 64 * 32 * 3; i++)
            little(draw(256), 1)
    } else if (what == "lattice") {
        print "8 8 1"
        print "1 1 0 0"
        print "1 1 1"
        print "1 4"
        print "0 0 0"
        print "4"
        print "-1 0 0 0 -1 0"
        print "1 0 0 0 -1 0"
        print "0 -1 0 0 -1 0"
        print "0 1 0 0 -1 0"
    } else {
        print "data.awk: no data " what > "/dev/stderr"
        exit 1
    }
}
